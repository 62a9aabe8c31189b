import type { CampaignEvent, EventType } from 'campaign-service-client';
import type { Command } from 'commander';
import { addCommand, wholeNumber } from '../command.js';
import { positionOf } from '../positions.js';
import { postIdOf } from '../reference.js';
import type { Session } from '../session.js';
import { cut } from '../text.js';

interface TailOptions {
  types?: string;
  campaign?: string;
  after?: number;
  name: string;
  once?: boolean;
}

/** Adds `events tail`. */
export function addEvents(program: Command, session: Session): void {
  const events = program.command('events').description('Read the events of your company');
  addCommand<TailOptions>(
    events,
    session,
    'tail',
    'Print events and wait for new ones, from where the last run stopped',
    (command) =>
      command
        .option('--types <types>', 'Only these, separated by commas')
        .option('--campaign <campaign>', 'Only those about a campaign')
        .option(
          '--after <number>',
          'Begin after this event instead; 0 is the beginning',
          wholeNumber,
        )
        .option('--name <name>', 'The position to continue from and to store', 'default')
        .option('--once', 'End after the last event')
        .addHelpText(
          'after',
          '\nThe first run begins at the first event. With --json, each event is a line of JSON.' +
            '\nThe position is stored when the events of a page are printed: after a crash, some come again.',
        ),
    ({ name, after, once, ...filters }) => tail(session, name, after, once === true, filters),
  );
}

async function tail(
  session: Session,
  name: string,
  after: number | undefined,
  once: boolean,
  { types: list, campaign }: Pick<TailOptions, 'types' | 'campaign'>,
): Promise<void> {
  const types = list?.split(',') as EventType[] | undefined;
  const postId = campaign === undefined ? undefined : await postIdOf(session, campaign);
  const cursor = positionOf(session, name, { types, postId });
  if (after !== undefined) {
    await cursor.save(after);
  }
  const { events } = session.client();
  if (once) {
    const start = (await cursor.load()) ?? 0;
    const query = { after: start, ...(types && { types }), ...(postId && { post_id: postId }) };
    for await (const page of events.list(query, session.call).pages()) {
      page.items.forEach((event) => printEvent(session, event));
      await cursor.save(page.covers.to);
    }
    return;
  }
  const { signal } = session.io;
  for await (const event of events.follow({ types, postId, cursor, signal })) {
    printEvent(session, event);
  }
}

/** Prints an event on a line. */
export function printEvent(session: Session, event: CampaignEvent): void {
  if (session.json) {
    session.print(JSON.stringify(event));
    return;
  }
  const { seq, created_at, type, subject, changes } = event;
  const values = Object.entries(changes as Record<string, { new: unknown }>)
    .map(([field, change]) => `${field}=${JSON.stringify(change.new)}`)
    .join(' ');
  const { dim, bold } = session.paint;
  session.print(
    `${dim(`${seq} ${created_at.slice(0, 19)}Z`)} ${bold(type)} ${subject} ${dim(cut(values, 120))}`.trimEnd(),
  );
}
