#!/usr/bin/env node
/** `pda`, the operator's command line. */
import { setFlagsFromString } from 'node:v8';
import { runPda } from './run-pda.ts';

// A command runs each query once. To optimize Prisma's query compiler takes half a second, and the process would wait for that at its end.
setFlagsFromString('--wasm-tiering-budget=1000000000');

// Source maps take longer to read than most commands take to run, and only error stacks need them.
if (process.env.LOG_LEVEL === 'debug') process.setSourceMapsEnabled(true);

// The reader of the output may exit early, as `head` does. The command still completes.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await runPda(process.argv.slice(2));
