/** `pda roles`: sets up PostgreSQL roles with least privilege. */
import type { Command } from 'commander';
import { DUTIES, type Duty, isRoleName, roleStatements } from '../database/roles.ts';
import { UsageError } from './exit.ts';
import { runCommand } from './run.ts';
import { examples, say } from './terminal.ts';

interface RolesOptions extends Record<Duty, string> {
  apply?: boolean;
  json?: boolean;
}

export function addRoles(command: Command): void {
  command
    .option('--server <role>', 'role of the server', readRole, 'pda_server')
    .option('--importer <role>', 'role that imports feeds, the taxonomy and articles', readRole, 'pda_importer')
    .option('--keys <role>', 'role that manages keys', readRole, 'pda_keys')
    .option('--apply', 'run the SQL on the database of DATABASE_URL, as its owner')
    .option('--json', 'print {"roles","statements","isApplied"}')
    .action(async ({ apply = false, json, ...roles }: RolesOptions) => {
      const statements = roleStatements(roles);
      const script = `BEGIN;\n${statements.map((statement) => `${statement};\n`).join('')}COMMIT;\n`;
      const report = { roles, statements, isApplied: apply };
      if (!apply) return say(json, report, script);
      await runCommand(async (database) => {
        await database.transaction(async (transaction) => {
          for (const statement of statements) await transaction.script(statement);
        });
        const names = DUTIES.map((duty) => `${roles[duty]} (${duty})`).join(', ');
        say(json, report, `These roles now have exactly the rights they need: ${names}\n`);
      });
    });
  examples(command, 'pda roles | psql "$DATABASE_URL"', 'pda roles --server shop_server --apply');
}

function readRole(text: string): string {
  if (!isRoleName(text)) {
    throw new UsageError(`${text} is not a valid role name. Use lower-case letters, digits and underscores.`);
  }
  return text;
}
