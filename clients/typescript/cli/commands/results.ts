import type { Command } from 'commander';
import { addCommand } from '../command.js';
import { postIdOf } from '../reference.js';
import { resultLines } from '../result-lines.js';
import type { Session } from '../session.js';

/** Adds `results`. */
export function addResults(program: Command, session: Session): void {
  addCommand<{ link?: boolean }>(
    program,
    session,
    'results [campaign]',
    'Show what respondents answered, with intervals',
    (command) => command.option('--link', 'Make a secret link to a page with the results instead'),
    async ({ link }, reference) => {
      const post_id = await postIdOf(session, reference);
      const { results } = session.client();
      if (link === true) {
        const created = await results.createLink(post_id, {}, session.call);
        session.result(created, () => [created.url, `It works until ${created.expires_at}.`]);
        return;
      }
      const found = await results.get(post_id, {}, session.call);
      session.result(found, () => resultLines(found, session.paint));
    },
  );
}
