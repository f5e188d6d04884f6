#!/usr/bin/env node
/** `pda`, the operator's command line. */
import { CommanderError } from 'commander';
import { printable } from '../values/printable.ts';
import { createProgram } from './program.ts';
import { EXIT, UsageError } from './run.ts';

// Whoever reads has gone, as `head` does when it has enough: the command still does its work to the end.
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

// An embedded database that has ended itself, as on a full disk, leaves a timer behind that would keep this process for ever.
setTimeout(() => process.exit(), 500).unref();
