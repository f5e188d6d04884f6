/** What a test opens, for as long as it is needed: nobody has to remember to close it, also after a failure. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** Anything that can be killed, removed, stopped or closed. */
type Opened = { kill(): unknown } | { remove(): unknown } | { stop(): unknown } | { close(): unknown };

async function end(opened: Opened): Promise<void> {
  if ('kill' in opened) await opened.kill();
  else if ('remove' in opened) await opened.remove();
  else if ('stop' in opened) await opened.stop();
  else await opened.close();
}

/** Opens something for all tests of a file, while the file is read. It is closed at the end of the file, the last opened first. */
export async function forFile<Some extends Opened>(opening: Some | Promise<Some>): Promise<Some> {
  const opened = await opening;
  afterAll(() => end(opened));
  return opened;
}

/** Opens something for the present test, at whose end it is closed. */
export async function forTest<Some extends Opened>(opening: Some | Promise<Some>): Promise<Some> {
  const opened = await opening;
  onTestFinished(() => end(opened));
  return opened;
}

/** Makes a folder for temporary files of all tests of a file, at whose end it is deleted. */
export function folderForFile(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
