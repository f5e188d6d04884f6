/** Runs a command line. */
import { CommanderError } from 'commander';
import { printable } from '../values/printable.ts';
import { EXIT, UsageError } from './exit.ts';
import { createProgram } from './program.ts';
import { inSession, type Session, session } from './session.ts';

/**
 * Runs `pda` with these words, without the name of the program.
 * @param of where the command reads and writes; this process's environment and streams by default.
 * @returns the exit status.
 */
export async function runPda(words: readonly string[], of: Session = session()): Promise<number> {
  return inSession(of, async () => {
    try {
      const program = await createProgram(words);
      await program.parseAsync(words, { from: 'user' });
      return of.status;
    } catch (error) {
      if (error instanceof UsageError) of.stderr.write(`${printable(error.message)}\n`);
      else if (!(error instanceof CommanderError)) throw error;
      return error instanceof CommanderError && error.exitCode === 0 ? EXIT.done : EXIT.usage;
    }
  });
}
