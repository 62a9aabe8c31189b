import { applyDecorators, Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Principal } from '../../platform/caller/principal';
import type { Phases } from '../../platform/idempotency/phases.types';
import { idempotentBy } from '../../platform/idempotency/idempotent.decorator';
import { CanFailWith } from '../../platform/openapi/responds-with';
import { ApiError } from '../../platform/protocol/api-error';
import type { ExpectedVersions } from '../../platform/protocol/etag';
import { approvalRequired, Waiting } from './approval.errors';
import type { ApprovalGate } from './approval-gate.service';

/** A controller with an {@link Approvable} handler. */
export interface GatedController {
  readonly approvals: ApprovalGate;
}

/** The caller, the body, the versions in `If-Match` if the handler takes them, and the reply. */
type Arguments =
  | [caller: Principal, body: object, expected: ExpectedVersions, reply: FastifyReply]
  | [caller: Principal, body: object, reply: FastifyReply];

type Handler = (caller: Principal, body: never, ...rest: never[]) => Promise<unknown>;

/** What a handler is called with. */
interface HandlerCall {
  caller: Principal;
  body: object;
  expected: ExpectedVersions;
  reply: FastifyReply;
}

/** A request of this kind, for whoever carries out what was approved. */
export interface ApprovableOperation {
  controller: Type<GatedController>;
  /** The DTO of the body. */
  body: Type<object>;
  handle: (this: GatedController, ...args: Arguments) => Promise<unknown>;
  /** Whether the handler takes the versions in `If-Match`. */
  takesVersions: boolean;
}

/** Every operation that can wait for an approval, by its `operationId`. */
const APPROVABLE = new Map<string, ApprovableOperation>();

/**
 * An idempotent route of API keys that can start or enlarge a campaign. If that commits more than
 * the key may without its account, the request waits for the account, and the caller is told so.
 *
 * The handler takes its arguments in the order of {@link Arguments}.
 */
export function Approvable() {
  return <H extends Handler>(
    controller: GatedController,
    name: string,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    const handle = descriptor.value as unknown as ApprovableOperation['handle'];
    const [, body] = Reflect.getMetadata('design:paramtypes', controller, name) as Type<object>[];
    if (body === undefined) {
      throw new Error(`${name} takes no body, so it cannot wait for an approval`);
    }
    const takesVersions = handle.length === 4;
    const type = controller.constructor as Type<GatedController>;
    const operation = { controller: type, body, handle, takesVersions };
    APPROVABLE.set(name, operation);
    applyDecorators(
      idempotentBy((instance, args) =>
        phasesOf(name, operation, instance as GatedController, args as Arguments),
      ),
      CanFailWith('approval_required', 'approval_refused', 'too_many_approvals'),
    )(controller, name, descriptor);
  };
}

const isWaiting = (outcome: unknown): outcome is { waits: Waiting } =>
  typeof outcome === 'object' && outcome !== null && 'waits' in outcome;

function phasesOf(
  name: string,
  operation: ApprovableOperation,
  controller: GatedController,
  args: Arguments,
): Phases<unknown, unknown, unknown> {
  const [caller, body] = args;
  const reply = args.at(-1) as FastifyReply;
  const expected = operation.takesVersions ? (args[2] as ExpectedVersions) : undefined;
  const run = (versions: ExpectedVersions) =>
    callHandler(operation, controller, { caller, body, expected: versions, reply });
  const respond = (outcome: unknown) => {
    if (isWaiting(outcome)) {
      throw approvalRequired(outcome.waits);
    }
    return outcome;
  };
  return {
    work: () => run(expected),
    respond,
    instead: (error) => {
      // As it was sent.
      const { body: sent } = reply.request as { body: { dry_run?: boolean } };
      const needsApproval = error instanceof ApiError && error.code === 'approval_required';
      if (!needsApproval || sent.dry_run === true) {
        return undefined;
      }
      const { limit = 0 } = error.properties;
      const work = async () => {
        const request = { operation: name, caller, body: sent, expected, limit, run };
        const kept = await controller.approvals.keep(request);
        if ('response' in kept) {
          return kept.response;
        }
        reply.removeHeader('etag');
        return kept;
      };
      return { work, respond };
    },
  };
}

/** @throws Error if no handler of that name can wait for an approval */
export function operationOf(name: string): ApprovableOperation {
  const operation = APPROVABLE.get(name);
  if (operation === undefined) {
    throw new Error(`${name} cannot wait for an approval`);
  }
  return operation;
}

/** Calls the handler of an operation, with these versions if it takes any. */
export function callHandler(
  { handle, takesVersions }: ApprovableOperation,
  controller: GatedController,
  { caller, body, expected, reply }: HandlerCall,
): Promise<unknown> {
  return takesVersions
    ? handle.call(controller, caller, body, expected, reply)
    : handle.call(controller, caller, body, reply);
}
