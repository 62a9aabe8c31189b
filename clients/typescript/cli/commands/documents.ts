import type { CampaignDocument } from 'campaign-service-client';
import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { addCommand } from '../command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { CommandError } from '../failure.js';
import { readObject, refuseExisting, writeWhole } from '../files.js';
import { applyPlan, checkPlan, makePlan, type Plan } from '../plan.js';
import { planLines } from '../plan-lines.js';
import { DOCUMENT_FILE } from '../reference.js';
import type { Session } from '../session.js';

/** What `campaign init` writes. */
const EXAMPLE: CampaignDocument = {
  external_ref: 'coffee-habits',
  type: 'survey',
  title: 'Coffee habits',
  description: 'How people drink their coffee at home.',
  category: 'food',
  tagline: 'Tell us about your cup',
  reward_amount: 100,
  max_responses: 40,
  questions: [
    {
      key: 'cups',
      type: 'single_choice',
      question: 'How many cups do you drink a day?',
      options: ['None', 'One', 'Two or more'],
    },
    {
      key: 'taste',
      type: 'rating',
      question: 'How much do you like your coffee?',
      scale: { min: 1, max: 5, step: 1 },
      show_if: { all: [{ question: 'cups', op: 'is_not', value: 'None' }] },
    },
    { key: 'bean', type: 'text', question: 'Which bean do you prefer?', required: false },
  ],
};

const json = (content: object) => [Buffer.from(`${JSON.stringify(content, null, 2)}\n`)];

/** Adds `init`, `plan` and `apply`. */
export function addDocuments(program: Command, session: Session): void {
  const file = ['-f, --file <file>', 'The campaign document; - is standard input'] as const;

  addCommand<{ force?: boolean }>(
    program,
    session,
    'init [file]',
    `Write an example of a campaign document; by default to ${DOCUMENT_FILE}`,
    (command) => command.option('--force', 'Replace the file'),
    async ({ force }, target = DOCUMENT_FILE) => {
      refuseExisting(session, target, force);
      await writeWhole(session, target, json(EXAMPLE));
      session.result({ file: target }, () => [
        `An example is in ${target}. Change it as you like.`,
      ]);
      const option = target === DOCUMENT_FILE ? '' : ` -f ${target}`;
      session.next(`campaign plan${option} shows what it would do.`);
    },
  );

  addCommand<{ file: string; out?: string }>(
    program,
    session,
    'plan',
    'Show what a document would change, whether it could be started, and what that can cost',
    (command) =>
      command
        .option(...file, DOCUMENT_FILE)
        .option('--out <file>', 'Write the plan, for campaign apply --plan')
        .addHelpText(
          'after',
          '\nNothing is changed. Exit codes: 0 if all is well, 3 if the document would be refused,' +
            '\n4 if the campaign could not be started, 9 if applying it would need an approval.',
        ),
    async (options) => {
      const plan = await makePlan(session, options.file, await readDocument(session, options.file));
      session.exitCode = exitCodeOf(plan);
      if (options.out !== undefined) {
        await writeWhole(session, options.out, json(plan));
      }
      session.result(plan, () => planLines(plan, session.paint));
      if (plan.ready && plan.result !== 'unchanged') {
        const how = options.out === undefined ? fileOption(options.file) : `--plan ${options.out}`;
        session.next(`campaign apply ${how}`.trimEnd());
      }
      if (session.exitCode === EXIT.approval) {
        session.next('campaign apply asks the account for the approval.');
      }
    },
  );

  addCommand<{ file?: string; plan?: string }>(
    program,
    session,
    'apply',
    'Create or update a campaign to match a document, or exactly as planned',
    (command) =>
      command
        .option(...file)
        .option('--plan <file>', 'Apply a plan, unless the document or the campaign has changed'),
    async (options) => {
      if (options.file !== undefined && options.plan !== undefined) {
        throw new CommandError('Apply either --file or --plan.', EXIT.usage);
      }
      const { file: source, applied } =
        options.plan === undefined
          ? await applyFile(session, options.file ?? DOCUMENT_FILE)
          : await applyPlanIn(session, options.plan);
      const { result, external_ref, post_id, status, changed_fields, is_live } = applied;
      const changed = result === 'updated' ? `: ${changed_fields.join(', ')}` : '';
      session.result(applied, () => [
        `${external_ref} was ${result}${changed}.`,
        `${post_id} is ${status}.`,
      ]);
      if (!is_live && status === 'draft') {
        const reference = source === DOCUMENT_FILE ? '' : `'${external_ref}'`;
        session.next(`campaign start ${reference}`.trimEnd());
      }
    },
  );
}

/** A document that starts its campaign needs the approval of the start to be applied at all. */
function exitCodeOf({ ready, blockers, document }: Plan): ExitCode {
  if (ready) {
    return EXIT.done;
  }
  const needsApproval = blockers.some(({ code }) => code === 'approval_required');
  return document.is_live === true && needsApproval ? EXIT.approval : EXIT.notReady;
}

const fileOption = (file: string) => (file === DOCUMENT_FILE ? '' : `-f ${file}`);

async function readDocument(session: Session, file: string): Promise<CampaignDocument> {
  const document = await readObject<CampaignDocument>(session, file);
  if ('dry_run' in document) {
    throw new CommandError(
      'A document here must not have dry_run: use campaign plan.',
      EXIT.refused,
    );
  }
  return document;
}

async function applyFile(session: Session, file: string) {
  const document = await readDocument(session, file);
  return { file, applied: await session.client().campaigns.apply(document, session.call) };
}

async function applyPlanIn(session: Session, file: string) {
  const plan = await readObject<Plan>(session, file);
  const isThere = plan.file !== '-' && existsSync(resolve(session.io.cwd, String(plan.file)));
  const document = isThere ? await readObject(session, plan.file) : undefined;
  checkPlan(plan, document, session.identity.url);
  return { file: plan.file, applied: await applyPlan(session, plan) };
}
