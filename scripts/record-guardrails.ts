import type { ExampleRecorder } from './example-recorder';
import { unknownId } from './record-errors';

/** Guardrails that one campaign can have. */
const MAXIMUM = 10;

/** Records everything about guardrails. */
export async function recordGuardrails(recorder: ExampleRecorder, post_id: unknown): Promise<void> {
  await recorder.own('createGuardrail', 'validation_failed', {
    body: { post_id, when: { all: [{ metric: 'spent', op: 'gt', value: 5_000, last: 100 }] } },
  });
  const { guardrail_id } = await recorder.success('createGuardrail', { body: { post_id } });
  await recorder.common('guardrail_name_taken', 'createGuardrail', { body: { post_id } });
  await recorder.success('listGuardrails');
  await recorder.own('listGuardrails', 'validation_failed', {
    query: `?post_id=${'x'.repeat(101)}`,
  });
  await recorder.own('backtestGuardrail', 'validation_failed', {
    body: JSON.stringify({ guardrail_id, limit: 0 }),
  });
  await recorder.success('backtestGuardrail', { body: JSON.stringify({ guardrail_id, post_id }) });
  const wrong = { guardrail_id, then: 'refund' };
  await recorder.own('updateGuardrail', 'validation_failed', { body: wrong });
  await recorder.own('updateGuardrail', 'nothing_to_update', {
    body: JSON.stringify({ guardrail_id }),
  });
  await recorder.success('updateGuardrail', { body: { guardrail_id } });
  for (const id of ['armGuardrail', 'deleteGuardrail']) {
    const body = id === 'armGuardrail' ? { guardrail_id, post_id } : { guardrail_id };
    const without = { ...body, guardrail_id: undefined };
    await recorder.own(id, 'validation_failed', { body: without });
    await recorder.success(id, { body });
  }
  await recorder.common('guardrail_not_found', 'deleteGuardrail', {
    body: { guardrail_id: unknownId('grd') },
  });
  for (let number = 1; number <= MAXIMUM; number += 1) {
    await recorder.prepare('createGuardrail', { body: { post_id, name: `${number}` } });
  }
  await recorder.common('too_many_guardrails', 'createGuardrail', { body: { post_id } });
}
