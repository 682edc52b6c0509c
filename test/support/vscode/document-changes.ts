// Changes that another editor or git may make to the text of a playground, for property tests of a session.

const tool = (name: string, mocks: object[]): object => ({
  name,
  parameters: { type: 'object', properties: {} },
  mocks,
});
/** Two lanes, a tool that answers by itself, and one that asks the person. */
export const WORLD_TEXT = JSON.stringify({
  tools: [tool('known', [{ result: 'mocked', delayMs: 5 }]), tool('asking', [{ ask: true }])],
  lanes: [
    { id: 'a', model: 'model-a' },
    { id: 'b', model: 'model-b' },
  ],
});

/** @param texts All versions of the text, the current one last. */
export function changeOutside(texts: readonly string[], what: string, number: number): string {
  if (what === 'broken') return `${texts.at(-1)} }`;
  if (what === 'undo') return texts.at(-2) ?? WORLD_TEXT;
  const read = JSON.parse(lastReadable(texts)) as { lanes: object[]; messages?: object[] };
  if (what === 'system') Object.assign(read, { system: `outside ${number}` });
  if (what === 'no-messages') read.messages = [];
  if (what === 'one-message') read.messages = [{ role: 'user', content: `outside ${number}` }];
  if (what === 'one-lane') read.lanes = read.lanes.slice(0, 1);
  return JSON.stringify(read);
}

function lastReadable(texts: readonly string[]): string {
  const isJson = (text: string): boolean => {
    try {
      return JSON.parse(text) !== null;
    } catch {
      return false;
    }
  };
  return texts.findLast(isJson) ?? WORLD_TEXT;
}
