import { describe, expect, test } from 'vitest';
import { NEW_PLAYGROUND_TEXT, parseDocument } from '../../../../src/session';
import { newPlayground } from '../../../support/session/new-playground';

describe('NEW_PLAYGROUND_TEXT', () => {
  test('is a valid document, the one that an empty text stands for', () => {
    expect(parseDocument(NEW_PLAYGROUND_TEXT)).toMatchObject({ document: newPlayground(), warnings: [] });
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

  test('is read into a new object each time', () => {
    newPlayground().messages.pop();
    expect(newPlayground().messages).toHaveLength(1);
  });
});
