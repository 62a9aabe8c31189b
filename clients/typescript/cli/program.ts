import { Command } from 'commander';
import { addApi } from './commands/api.js';
import { addCompletion } from './commands/completion.js';
import { addDocuments } from './commands/documents.js';
import { addEvents } from './commands/events.js';
import { addExport } from './commands/export.js';
import { addImport } from './commands/import.js';
import { addLife } from './commands/life.js';
import { addListen } from './commands/listen.js';
import { addLogin } from './commands/login.js';
import { addMcp } from './commands/mcp.js';
import { addMoney } from './commands/money.js';
import { addRegister } from './commands/register.js';
import { addResults } from './commands/results.js';
import { addVerify } from './commands/verify.js';
import { VERSION } from './operations.js';
import type { Session } from './session.js';

const AFTER_HELP = `
First steps:
  campaign register              register a company; if you have an API key: campaign login
  campaign init                  write an example to campaign.json
  campaign plan                  show what applying it would change, and what it can cost
  campaign apply                 create or update the campaign
  campaign start                 make it live
  campaign results               read what respondents answered

[campaign] is a post_id, or the external_ref of a document; by default that of campaign.json.
Environment: CAMPAIGN_URL, CAMPAIGN_API_KEY, CAMPAIGN_TOKEN, CAMPAIGN_PLATFORM_KEY,
CAMPAIGN_PASSWORD, NO_COLOR.
Exit codes: 0 done, 1 failed, 2 wrong command line, 3 refused, 4 planned start would be refused,
5 credential, 6 changed since it was planned, 7 service unavailable, 8 not genuine,
9 approval required, 130 Ctrl-C.
`;

/** The commands of the program. */
export function createProgram(session: Session): Command {
  const { stdout, stderr } = session.io;
  const program = new Command('campaign')
    .description('Plan, run and read paid survey and advertisement campaigns.')
    .version(VERSION, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help for a command')
    .helpCommand('help [command]', 'Print help for a command')
    .enablePositionalOptions()
    .showHelpAfterError('Options and examples: add --help.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
    })
    .addHelpText('after', AFTER_HELP);
  const add = [
    ...[addRegister, addLogin, addDocuments, addLife, addResults, addExport, addEvents, addListen],
    ...[addMoney, addVerify, addImport, addApi, addMcp, addCompletion],
  ];
  add.forEach((each) => each(program, session));
  return program;
}
