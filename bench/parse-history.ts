/*
 * Cloud Code for Parse Server that keeps a history of every change, following its documentation:
 * each entry is stored by a separate request after the change, so not in the same transaction.
 */

interface ParseObject {
  id: string;
  get(name: string): unknown;
  toJSON(): Record<string, unknown>;
  save(fields: object, options: { useMasterKey: boolean }): Promise<unknown>;
}

/** The part of the SDK that Parse Server provides to Cloud Code. */
declare const Parse: {
  Object: new (className: string) => ParseObject;
  Cloud: {
    afterSave(
      className: string,
      handler: (saved: { object: ParseObject; original?: ParseObject }) => Promise<void>,
    ): void;
  };
};

// The result of a hook would become the response.
Parse.Cloud.afterSave('Campaign', async ({ object, original }) => {
  const before = original?.toJSON() ?? {};
  const after = Object.entries(object.toJSON());
  const changes = Object.fromEntries(
    after
      .filter(([name, value]) => value !== before[name])
      .map(([name, value]) => [name, { old: before[name] ?? null, new: value }]),
  );
  const event = new Parse.Object('History');
  await event.save({ subject: object.id, changes }, { useMasterKey: true });
});
