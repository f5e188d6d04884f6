/** `pda doctor`: finds problems of this installation and says how to fix them. Works without a reachable database. */
import type { Command } from 'commander';
import { counted } from '../values/counted.ts';
import { printable } from '../values/printable.ts';
import { examineData } from './doctor/data.ts';
import { examineEnvironment, examinePublicUrl } from './doctor/environment.ts';
import { type Finding, problem } from './doctor/finding.ts';
import { examineFolder } from './doctor/folder.ts';
import { examineDisk, examineMemory, examineNode, examineWorkers } from './doctor/machine.ts';
import { examineRedis } from './doctor/redis.ts';
import { examineReplicas } from './doctor/replicas.ts';
import { examineListener } from './doctor/server.ts';
import { EXIT } from './exit.ts';
import { session } from './session.ts';
import { colours, examples, say } from './terminal.ts';

export function addDoctor(command: Command): void {
  command
    .option('--json', 'print {"checks":[{"name","status","says","remedy"}],"ok","warnings","problems"}')
    .action(async ({ json }: { json?: boolean }) => {
      const checks = await examine(session().environment);
      const count = (status: Finding['status']) => checks.filter((each) => each.status === status).length;
      const counts = { ok: count('ok'), warnings: count('warning'), problems: count('problem') };
      const sum = `\n${counts.ok} ok, ${counted(counts.warnings, 'warning')}, ${counted(counts.problems, 'problem')}\n`;
      say(json, { checks, ...counts }, checks.map(describe).join('') + sum);
      session().status = counts.problems > 0 ? EXIT.fault : EXIT.done;
    });
  examples(command, 'pda doctor', 'pda doctor --json');
}

async function examine(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { config, faulty, findings } = examineEnvironment(environment);
  findings.push(
    examineNode(),
    examineMemory(config),
    examineWorkers(config),
    await examineDisk('disk', process.cwd()),
    examinePublicUrl(config),
  );
  if (faulty.has('DATABASE_URL') || faulty.has('DATA_DIR')) {
    // The default would be the wrong database to examine.
    findings.push(problem('database', 'not examined', 'Fix the configuration first, then run this again.'));
  } else {
    if (config.databaseUrl === undefined) findings.push(...(await examineFolder(config.dataDir)));
    findings.push(...(await examineData(config)), ...(await examineReplicas(config)));
  }
  if (config.redis) findings.push(...(await examineRedis(config.redis)));
  return [...findings, await examineListener(config)];
}

function marks() {
  const { green, yellow, red } = colours();
  return { ok: green('ok     '), warning: yellow('warning'), problem: red('problem') };
}

function describe({ name, status, says, remedy }: Finding): string {
  const line = `${marks()[status]}  ${name.padEnd(14)}  ${printable(says)}\n`;
  return remedy === undefined ? line : `${line}${' '.repeat(25)}→ ${printable(remedy)}\n`;
}
