/** What could come next on a command line that is being typed, told from the tree of commands itself. */
import type { Command, Option } from 'commander';

/** A word that could stand there, and what it is about. */
export interface Suggestion {
  value: string;
  about?: string;
}

/** Words to choose from, or what the shell itself knows best. */
export type Completion = Suggestion[] | 'files' | 'folders';

/** What can stand for a placeholder such as `<plan>`, by its name. */
export type Sources = Readonly<Record<string, () => Completion | Promise<Completion>>>;

/**
 * Completes a command line.
 *
 * @param words what is typed after the program's name; the last word is the one at the cursor, and may be empty.
 * @param sources what placeholders stand for; one that is not named has no suggestions.
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

/** Where the words that are whole have led: to which command, with how many arguments, and which option waits for its value. */
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

/** `month` of `--month <month>`. */
export function placeholderOf({ flags }: Option): string {
  return /[<[](.+?)(\.\.\.)?[>\]]/.exec(flags)?.[1] ?? '';
}

function startingWith(suggestions: readonly Suggestion[], typed: string): Suggestion[] {
  return suggestions.filter(({ value }) => value.startsWith(typed));
}
