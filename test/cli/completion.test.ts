/** Tab completion in real shells, with the script that `pda completion` prints. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDataFolder } from '../harness/data-folder.ts';
import { run, type ServerProcess, startServerProcess } from '../harness/process.ts';
import { has, hasTerminals, showOnTerminal } from '../harness/terminal.ts';

let folder: string;
let server: ServerProcess;
let id: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pda-completion-'));
  await makeDataFolder(join(folder, 'data'));
  mkdirSync(join(folder, 'guides'));
  writeFileSync(join(folder, 'autumn.tsv'), '');
  // The server has the embedded database open, so completion has to ask the server.
  server = await startServerProcess({ DATA_DIR: join(folder, 'data') });
  const made = await pda('keys', 'create', '--name', 'A client', '--plan', 'pro', '--json');
  id = JSON.parse(made.stdout).id;
});
afterAll(async () => {
  await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

const pda = (...words: string[]) => run('pda', words, { DATA_DIR: join(folder, 'data') });
const script = async (shell: string) => {
  const { stdout } = await pda('completion', shell);
  const path = join(folder, `pda.${shell}`);
  writeFileSync(path, stdout);
  return path;
};
/** The completions for a line that is being typed. */
const offered = async (shell: string, ...words: string[]) => {
  const { status, stdout, stderr } = await pda('complete', shell, '--', ...words);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0]);
};

/** The typed line, with `\t` for the Tab key, and the arguments that the command is then called with. */
const typed: [string, string[]][] = [
  ['pda key\tcr\t--pl\tst\t--ra\t5', ['keys', 'create', '--plan', 'starter', '--rate-limit', '5']],
  ['pda articles gui\t', ['articles', 'guides/']],
  ['pda import aut\t', ['import', 'autumn.tsv']],
  ['pda comp\tfi\t', ['completion', 'fish']],
];

describe.runIf(hasTerminals)('at a terminal', () => {
  const atPrompt = async (start: string, line: string) => {
    const environment = { DATA_DIR: join(folder, 'data'), HOME: folder };
    const shown = await showOnTerminal(`cd ${folder} && ${start}`, environment, [
      { after: 'READY> ', type: `${line}\r` },
      { after: 'CALLED', type: '' },
      { after: 'READY> ', type: 'exit\r' },
    ]);
    return /CALLED(.*)/.exec(shown)?.[1]?.trim().split('|').slice(1);
  };
  const called = `pda() { printf 'CALL''ED'; printf '|%s' "$@"; echo; }`;
  const inBash = async (line: string) => {
    const setup = join(folder, 'bashrc');
    writeFileSync(setup, `PS1='READY> '\nsource ${await script('bash')}\n${called}\n`);
    return atPrompt(`bash --noprofile --rcfile ${setup} -i`, line);
  };

  test.runIf(has('bash')).each(typed)('bash completes %j', async (line, words) => {
    expect(await inBash(line)).toEqual(words);
  });

  test.runIf(has('bash'))('bash completes key ids from the running server, and a value after =', async () => {
    expect(await inBash('pda keys show k\t')).toEqual(['keys', 'show', id]);
    expect(await inBash('pda keys create --plan=en\t')).toEqual(['keys', 'create', '--plan=enterprise']);
  });

  test.runIf(has('bash'))('bash runs no part of the typed line', async () => {
    const trap = join(folder, 'trap');
    await inBash(`pda keys show $(touch ${trap}) \`touch ${trap}\` \t\x15pda`);
    expect(spawnSync('ls', [trap]).status).not.toBe(0);
  });

  test.runIf(has('zsh')).each(typed)('zsh completes %j', async (line, words) => {
    writeFileSync(
      join(folder, '.zshrc'),
      `PS1='READY> '\nunsetopt zle_bracketed_paste prompt_sp\nautoload -Uz compinit\ncompinit -u -D\nsource ${await script('zsh')}\n${called}\n`,
    );
    const made = await atPrompt(`ZDOTDIR=${folder} zsh -d -i`, line);
    // Zsh removes a slash that it has added when the word ends.
    expect(made).toEqual(words.map((word) => word.replace(/\/$/, '')));
  });
});

test.runIf(has('fish')).each([
  ['pda ke', 'keys'],
  ['pda keys create --plan ent', 'enterprise'],
  ['pda import aut', 'autumn.tsv'],
  ['pda articles gui', 'guides/'],
  ['pda keys show k', 'key_'],
  ['pda keys create --ra', '--rate-limit'],
])('fish completes %j with %j', async (line, offer) => {
  const { stdout, stderr } = spawnSync('fish', ['-N', '-c', `source ${await script('fish')}; complete -C '${line}'`], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, DATA_DIR: join(folder, 'data') },
  });
  expect(stderr).toBe('');
  expect(stdout.split('\n')[0]).toMatch(new RegExp(`^${offer}`));
});

describe('completion', () => {
  test('offers all commands first, then the options that are not on the line yet', async () => {
    expect(await offered('zsh', '')).toEqual(expect.arrayContaining(['keys', 'usage', 'import', 'completion']));
    const options = await offered('zsh', 'keys', 'create', '--name', 'x', '--');
    expect(options).toEqual(expect.arrayContaining(['--plan', '--expires', '--json']));
    expect(options).not.toContain('--name');
  });

  test('offers plans, months, keys and shells as arguments', async () => {
    expect(await offered('zsh', 'keys', 'set-plan', id, '')).toEqual(['free', 'starter', 'pro', 'enterprise']);
    expect(await offered('zsh', 'usage', '--month', '')).toContain(new Date().toISOString().slice(0, 7));
    expect(await offered('fish', 'usage', '')).toEqual([id]);
    expect(await offered('zsh', 'keys', 'create', '--plan=s')).toEqual(['--plan=starter']);
    expect(await offered('bash', 'keys', 'create', '--plan', '=', 's')).toEqual(['starter']);
  });

  test('offers nothing and does not fail without a database', async () => {
    for (const environment of [{ DATABASE_URL: 'postgresql://127.0.0.1:1/x' }, { DATA_DIR: join(folder, 'none') }]) {
      const outcome = await run('pda', ['complete', 'zsh', '--', 'keys', 'show', ''], environment);
      expect(outcome).toEqual({ status: 0, stdout: '', stderr: '' });
    }
    expect(spawnSync('ls', [join(folder, 'none')]).status).not.toBe(0);
  });

  test('refuses an unsupported shell', async () => {
    const { status, stderr } = await pda('completion', 'tcsh');
    expect(status).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
  });
});
