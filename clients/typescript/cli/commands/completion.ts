import type { Command } from 'commander';
import { addCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { CommandError } from '../failure.js';
import { OPERATIONS } from '../operations.js';
import type { Session } from '../session.js';

/** Scripts that ask the program for the words that can stand where the cursor is. */
const SCRIPTS = {
  bash: `_campaign() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(campaign completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _campaign campaign
`,
  zsh: `#compdef campaign
_campaign() {
  local -a candidates
  candidates=(\${(f)"$(campaign completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  compadd -a candidates || _files
}
compdef _campaign campaign
`,
  fish: `function __campaign_words
  set -l words (commandline -opc) (commandline -ct)
  campaign completion words -- $words[2..-1] 2>/dev/null
end
complete -c campaign -a '(__campaign_words)'
`,
} as const;

const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

/** Adds `completion`. */
export function addCompletion(program: Command, session: Session): void {
  addCommand(
    program,
    session,
    'completion <shell> [words...]',
    'Print the script with which bash, zsh or fish completes commands',
    (command) =>
      command.addHelpText(
        'after',
        [
          '',
          'bash:  echo \'eval "$(campaign completion bash)"\' >> ~/.bashrc',
          'zsh:   echo \'eval "$(campaign completion zsh)"\' >> ~/.zshrc',
          'fish:  campaign completion fish > ~/.config/fish/completions/campaign.fish',
        ].join('\n'),
      ),
    (_, name, ...rest) => {
      if (name === 'words') {
        const words = (rest as unknown as string[][])[0] ?? [];
        session.print(...candidates(program, words));
        return;
      }
      const shell = SHELLS.find((each) => each === name);
      if (shell === undefined) {
        throw new CommandError(`The shell must be ${SHELLS.join(', ')}.`, EXIT.usage);
      }
      session.io.stdout.write(SCRIPTS[shell]);
    },
  );
}

/** The words that can stand in the place of the last one. */
export function candidates(program: Command, words: readonly string[]): string[] {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  let command = program;
  for (const word of before) {
    command = command.commands.find((each) => namesOf(each).includes(word)) ?? command;
  }
  return found(command, program, before).filter((word) => word.startsWith(last));
}

function found(command: Command, program: Command, before: readonly string[]): string[] {
  if (command.name() === 'api') {
    const operation = before.find((word) => word in OPERATIONS);
    return operation === undefined
      ? Object.keys(OPERATIONS)
      : ['--data', ...Object.keys(OPERATIONS[operation]?.fields ?? {}).map((each) => `--${each}`)];
  }
  const options = command.options.flatMap(({ long }) => (long ? [long] : []));
  const shells = command.name() === 'completion' && command.parent === program ? SHELLS : [];
  return [...command.commands.flatMap(namesOf), ...shells, ...options, '--help'];
}

const namesOf = (command: Command) => [command.name(), ...command.aliases()];
