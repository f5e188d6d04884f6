#!/usr/bin/env node
/** `pda`, the operator's command line. */
import { CommanderError } from 'commander';
import { printable } from '../values/printable.ts';
import { createProgram } from './program.ts';
import { EXIT, UsageError } from './run.ts';

// The reader of the output may exit early, as `head` does. The command still completes.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`${printable(error.message)}\n`);
  else if (!(error instanceof CommanderError)) throw error;
  const isHelp = error instanceof CommanderError && error.exitCode === 0;
  process.exitCode = isHelp ? EXIT.done : EXIT.usage;
}

// An embedded database that has shut itself down, as on a full disk, leaves a timer that would keep this process alive forever.
setTimeout(() => process.exit(), 500).unref();
