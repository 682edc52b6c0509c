import { describe, expect, test } from 'vitest';
import { NEW_PLAYGROUND_TEXT, newPlayground, parseDocument } from '../../../../src/session';

describe('newPlayground', () => {
  test('equals the document that its text is parsed into', () => {
    expect(parseDocument(NEW_PLAYGROUND_TEXT)).toEqual({ document: newPlayground(), warnings: [] });
  });

  test('asks the first demo model for the weather, with one of two tools offered', () => {
    const { messages, tools, lanes } = newPlayground();
    expect(messages).toEqual([{ role: 'user', content: 'What is the weather in Oslo?' }]);
    expect(tools).toMatchObject([
      { name: 'get_weather', offered: true, mocks: [{ result: { temp_c: -2, sky: 'snow' } }] },
      { name: 'search_flights', offered: false, mocks: [{}] },
    ]);
    expect(lanes).toMatchObject([{ id: 'a', connection: 'demo', model: 'first-look' }]);
  });

  test('returns a new object each time', () => {
    newPlayground().messages.pop();
    expect(newPlayground().messages).toHaveLength(1);
  });
});
