/** The scripts that make each shell ask `pda` for completions. All knowledge of commands stays in `pda`. */

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * The completion script for a shell. It calls the program that printed it, so it also works where `pda` is an alias.
 *
 * @param program the words that start `pda`: the interpreter and the file.
 */
export function scriptFor(shell: Shell, program: readonly string[]): string {
  return SCRIPTS[shell](`${program.map(quote).join(' ')} complete ${shell} --`);
}

/** Quotes a word in single quotes, which bash, zsh and fish read alike. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

// The typed words are passed as arguments and never evaluated: pressing Tab after `$(rm …` must not run anything.
const SCRIPTS: Record<Shell, (ask: string) => string> = {
  bash: (ask) => `# eval "$(pda completion bash)"
_pda() {
  local line word
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o default ;;
      :folders) compopt -o dirnames ;;
      *)
        printf -v word '%q' "\${line%%$'\\t'*}"
        COMPREPLY+=("$word")
        ;;
    esac
  done < <(${ask} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _pda pda
`,
  zsh: (ask) => `#compdef pda
# eval "$(pda completion zsh)", after compinit
_pda() {
  local line value
  local -a found
  for line in "\${(@f)$(${ask} "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :files) _files; return ;;
      :folders) _files -/; return ;;
      ?*)
        value=\${line%%$'\\t'*}
        found+=("\${value//:/\\:}:\${line#*$'\\t'}")
        ;;
    esac
  done
  _describe pda found
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _pda "$@"; else compdef _pda pda; fi
`,
  fish: (ask) => `# pda completion fish | source
function __pda_complete
  set -l words (commandline -opc)
  set -l typed (commandline -ct)
  for line in (${ask} $words[2..-1] "$typed" 2>/dev/null)
    switch $line
      case ':files'
        __fish_complete_path "$typed"
      case ':folders'
        __fish_complete_directories "$typed"
      case '*'
        echo $line
    end
  end
end
complete -c pda -e
complete -c pda -f -a '(__pda_complete)'
`,
};
