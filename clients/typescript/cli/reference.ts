import { type CampaignDocument, isCode } from 'campaign-service-client';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { EXIT } from './exit-codes.js';
import { CommandError } from './failure.js';
import { readObject } from './files.js';
import type { Session } from './session.js';

export const DOCUMENT_FILE = 'campaign.json';

/**
 * Finds the `post_id` of the campaign that a command is about: a `post_id`, the `external_ref` of a
 * document, or by default the one of campaign.json.
 */
export async function postIdOf(session: Session, reference: string | undefined): Promise<string> {
  if (reference?.startsWith('post_') === true) {
    return reference;
  }
  const external_ref = reference ?? (await referenceInFile(session));
  // The dry run of a document that says nothing else finds its campaign and changes nothing.
  const document = { external_ref, dry_run: true };
  const { post_id } = await session
    .client()
    .campaigns.apply(document, session.call)
    .catch((error: unknown) => {
      if (isCode(error, 'insufficient_scope')) {
        throw new CommandError(
          'A key without campaigns:write finds no campaign by its external_ref.',
          EXIT.credential,
          'Name its post_id. Your campaigns: campaign list.',
        );
      }
      throw isCode(error, 'document_incomplete')
        ? new CommandError(
            `No campaign has the external_ref ${external_ref}.`,
            EXIT.refused,
            'Your campaigns: campaign list. To create it: campaign apply.',
          )
        : error;
    });
  return String(post_id);
}

async function referenceInFile(session: Session): Promise<string> {
  if (!existsSync(resolve(session.io.cwd, DOCUMENT_FILE))) {
    throw new CommandError(
      'Which campaign? Name its post_id or external_ref.',
      EXIT.usage,
      'Your campaigns: campaign list.',
    );
  }
  const { external_ref } = await readObject<CampaignDocument>(session, DOCUMENT_FILE);
  if (typeof external_ref !== 'string') {
    throw new CommandError(`${DOCUMENT_FILE} has no external_ref.`, EXIT.refused);
  }
  return external_ref;
}
