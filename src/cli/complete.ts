/** Suggests completions for a command line, from the tree of commands itself. */
import type { Command, Option } from 'commander';

/** A possible word with its description. */
export interface Suggestion {
  value: string;
  about?: string;
}

/** Words to choose from, or a kind of path that the shell completes itself. */
export type Completion = Suggestion[] | 'files' | 'folders';

/** The possible values of placeholders such as `<plan>`, by name. */
export type Sources = Readonly<Record<string, () => Completion | Promise<Completion>>>;

/**
 * Completes a command line.
 *
 * @param words the words after the program's name; the last one is at the cursor and may be empty.
 * @param sources the values of placeholders; a placeholder without an entry has no suggestions.
 */
export async function complete(program: Command, words: readonly string[], sources: Sources): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const { command, before, waiting, used } = follow(program, words.slice(0, -1));
  const valuesOf = async (placeholder: string, prefix = '') => {
    const found = (await sources[placeholder]?.()) ?? [];
    if (typeof found === 'string') return found;
    return startingWith(
      found.map((each) => ({ ...each, value: prefix + each.value })),
      typed,
    );
  };

  if (waiting) return valuesOf(placeholderOf(waiting));
  const [, name, assigned] = /^(--[^=]+)(=)/.exec(typed) ?? [];
  if (name !== undefined && assigned) {
    const option = optionsOf(command).find(({ long }) => long === name);
    return option && takesValue(option) ? valuesOf(placeholderOf(option), `${name}=`) : [];
  }
  if (typed.startsWith('-')) return startingWith(optionSuggestions(command, used), typed);
  if (command.commands.length > 0) {
    const commands = command.createHelp().visibleCommands(command);
    return startingWith(
      commands.map((each) => ({ value: each.name(), about: each.description() })),
      typed,
    );
  }
  const argument = command.registeredArguments[before];
  return argument ? valuesOf(argument.name()) : startingWith(optionSuggestions(command, used), typed);
}

/** Interprets the completed words: the command they select, the number of arguments, and the option still waiting for its value. */
function follow(program: Command, words: readonly string[]) {
  let command = program;
  let before = 0;
  let waiting: Option | undefined;
  const used = new Set<Option>();
  for (const word of words) {
    if (waiting) waiting = undefined;
    else if (word.startsWith('-') && word !== '-') {
      const option = optionsOf(command).find(({ long, short }) => [long, short].includes(word.replace(/=.*/, '')));
      if (option) used.add(option);
      if (option && takesValue(option) && !word.includes('=')) waiting = option;
    } else {
      const next = command.commands.find((each) => each.name() === word);
      if (next) command = next;
      else before += 1;
    }
  }
  return { command, before, waiting, used };
}

function optionsOf(command: Command): Option[] {
  return command.createHelp().visibleOptions(command);
}

function optionSuggestions(command: Command, used: ReadonlySet<Option>): Suggestion[] {
  const taken = new Set([...used].map(({ long }) => long));
  return optionsOf(command)
    .filter(({ long }) => long !== undefined && !taken.has(long))
    .map(({ long, description }) => ({ value: long ?? '', about: description }));
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

/** The placeholder of an option: `month` for `--month <month>`. */
export function placeholderOf({ flags }: Option): string {
  return /[<[](.+?)(\.\.\.)?[>\]]/.exec(flags)?.[1] ?? '';
}

function startingWith(suggestions: readonly Suggestion[], typed: string): Suggestion[] {
  return suggestions.filter(({ value }) => value.startsWith(typed));
}
