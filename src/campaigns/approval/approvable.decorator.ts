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
    APPROVABLE.set(name, { controller: type, body, handle, takesVersions });
    applyDecorators(
      idempotentBy((instance, args) =>
        phasesOf(name, instance as GatedController, args as Arguments),
      ),
      CanFailWith('approval_required', 'approval_refused', 'too_many_approvals'),
    )(controller, name, descriptor);
  };
}

/** What a request comes to: its response, or that it waits. */
type Outcome = { waits: Waiting } | { success: true };

function phasesOf(
  operation: string,
  controller: GatedController,
  args: Arguments,
): Phases<unknown, unknown, unknown> {
  const { handle, takesVersions } = operationOf(operation);
  const [caller] = args;
  const reply = args.at(-1) as FastifyReply;
  const { body } = reply.request as { body: { dry_run?: boolean } };
  const run = (expected: ExpectedVersions) =>
    handle.apply(controller, withVersions(args, takesVersions, expected));
  const respond = (outcome: unknown) => {
    if ('waits' in (outcome as Outcome)) {
      throw approvalRequired((outcome as { waits: Waiting }).waits);
    }
    return outcome;
  };
  return {
    work: () => handle.apply(controller, args),
    respond,
    instead: (error) => {
      const needsApproval = error instanceof ApiError && error.code === 'approval_required';
      if (!needsApproval || body.dry_run === true) {
        return undefined;
      }
      const { limit = 0 } = error.properties;
      const expected = takesVersions ? (args[2] as ExpectedVersions) : undefined;
      const request = { operation, caller, body, expected, limit, run };
      const work = async () => {
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

/** Returns the arguments of a handler, with these versions if it takes any. */
export function withVersions(
  [caller, body, ...rest]: Arguments,
  takesVersions: boolean,
  expected: ExpectedVersions,
): Arguments {
  const reply = rest.at(-1) as FastifyReply;
  return takesVersions ? [caller, body, expected, reply] : [caller, body, reply];
}
