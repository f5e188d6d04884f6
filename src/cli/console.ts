/** `pda console`: prints a link that opens the console once, or ends all sessions. */
import type { Command } from 'commander';
import { LINK_MINUTES, makeLink, signEverybodyOut } from '../console/sessions.ts';
import { counted } from '../values/counted.ts';
import { localAddressOf } from '../values/http-address.ts';
import { runCommand } from './run.ts';
import { session } from './session.ts';
import { examples, say } from './terminal.ts';

export function addConsole(command: Command): void {
  command
    .option('--sign-out', 'end all sessions and cancel all unused links instead')
    .option('--json', 'print {"url","expiresAt"}, or {"sessions","links"} with --sign-out')
    .action(({ signOut, json }: { signOut?: boolean; json?: boolean }) =>
      runCommand(async (database, config) => {
        if (signOut) {
          const ended = await signEverybodyOut(database);
          say(json, ended, `Ended ${counted(ended.sessions, 'session')} and ${counted(ended.links, 'unused link')}.\n`);
          return;
        }
        if (config.console === 'off') session().stderr.write(`${OFF}\n`);
        const { token, expiresAt } = await makeLink(database);
        const { publicUrl, host, port } = config;
        const url = `${publicUrl ?? localAddressOf(host, port)}/console/sign-in?token=${token}`;
        say(json, { url, expiresAt }, `Open this link within ${LINK_MINUTES} minutes. It works once:\n${url}\n`);
      }),
    );
  examples(command, 'pda console', 'pda console --sign-out');
}

const OFF = 'The console is off in this environment: start the server with CONSOLE=on, or the link leads nowhere.';
