/** The columns of an approval, of a row of the table `approval` and its campaign. */
const COLUMNS = `
  a.company_id AS "companyId", a.approval_id AS "approvalId", a.key_id AS "keyId", a.operation,
  c.post_id AS "postId", a.version, a.currency, a.commits, a.adds, a.reason, a.requested_at AS "requestedAt",
  a.expires_at AS "expiresAt",
  CASE WHEN a.state = 'pending' AND a.expires_at <= clock_timestamp() THEN 'expired'
    ELSE a.state END AS state,
  CASE WHEN a.state = 'pending' AND a.expires_at <= clock_timestamp() THEN a.expires_at
    ELSE a.decided_at END AS "decidedAt"`;

const WITH_CAMPAIGN = `
  FROM approval AS a
  LEFT JOIN campaign AS c ON c.company_id = a.company_id AND c.id = a.campaign_id`;

/** An approval of an environment ($1, $2), with the body of its request. */
export const READ_APPROVAL = `
  SELECT ${COLUMNS}, a.body ${WITH_CAMPAIGN} WHERE a.company_id = $1 AND a.approval_id = $2`;

/** A page of the approvals of an environment before one of them ($2), in a state ($3) or in any. */
export const listApprovals = (limit: string) => `
  SELECT * FROM (
    SELECT ${COLUMNS} ${WITH_CAMPAIGN} WHERE a.company_id = $1 AND a.approval_id < $2
  ) AS approval
  WHERE $3::text IS NULL OR state = $3
  ORDER BY "approvalId" DESC LIMIT ${limit}`;

/** The campaign that a request changes, by its post_id ($2) or its external_ref ($3). */
export const FIND_TARGET = `
  SELECT id, version FROM campaign WHERE company_id = $1 AND (post_id = $2 OR external_ref = $3)`;

/** Permits everything to a key in this transaction, which forgets or undoes it. */
export const PERMIT = `
  INSERT INTO approval (company_id, approval_id, key_id, operation, body, request_hash,
    currency, state,
    requested_at, expires_at, decided_at)
  VALUES ($1, $2, stored_id($3), '', '', '', '', 'approved', now(), now(), now())`;

export const FORGET = 'DELETE FROM approval WHERE company_id = $1 AND approval_id = $2';

/** The campaign that has needed the permission. */
export const PERMITTED = `
  SELECT campaign_id AS id FROM approval WHERE company_id = $1 AND approval_id = $2`;

export const COMMITMENT = 'SELECT commitment_of($1, $2) AS amount';

export const FINISH = 'SELECT finish_approval($1, $2, $3, $4) AS finished';

export const REQUEST = `
  SELECT refusal, (asked).approval_id AS "approvalId", (asked).expires_at AS "expiresAt",
    (asked).reason
  FROM request_approval($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

export const DECIDE = `
  SELECT decided, (asked).state FROM decide_approval($1, $2, $3, $4, $5)`;
