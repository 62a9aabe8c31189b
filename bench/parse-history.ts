/*
 * Cloud Code for Parse Server that keeps a history of every change, as its documentation would have
 * one do it: in a request of its own once the change is stored, so not in one transaction with it.
 */

interface ParseObject {
  id: string;
  get(name: string): unknown;
  toJSON(): Record<string, unknown>;
  save(fields: object, options: { useMasterKey: boolean }): Promise<unknown>;
}

/** What is used of the SDK that Parse Server puts there for Cloud Code. */
declare const Parse: {
  Object: new (className: string) => ParseObject;
  Cloud: {
    afterSave(
      className: string,
      handler: (saved: { object: ParseObject; original?: ParseObject }) => Promise<void>,
    ): void;
  };
};

// What a hook returns would be the answer.
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
