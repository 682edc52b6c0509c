// Finds the id by which a later request of the Responses API continues a reply.

/** Where it stands in every recorded reply, whole or as a stream. In UTF-16 code units. */
const BEGINNING = 1_000;

/** @param body Of the reply, as JSON or as events. @returns undefined in a reply of another protocol */
export const findResponseId = (body: string): string | undefined =>
  /"id":\s?"(resp_\w{1,80})"/.exec(body.slice(0, BEGINNING))?.[1];
