import { describe, expect, test } from 'vitest';
import { splitPlaces, withOtherPlace } from '../../../../src/demo/model/message-places';

describe('splitPlaces', () => {
  test.each([
    ['What is the weather in Oslo and Bergen?', ['Oslo', 'Bergen']],
    ['What is the weather in Oslo and in New York?', ['Oslo', 'New York']],
    ['Compare the forecast for Rome, Paris, and São Paulo', ['Rome', 'Paris', 'São Paulo']],
    ['Is it warmer in Oslo than in Bergen?', ['Oslo', 'Bergen']],
    ['weather in oslo or bergen', ['oslo', 'bergen']],
  ])('splits the message into one per place: %s', (message, places) => {
    const said = splitPlaces(message);
    expect(said).toHaveLength(places.length);
    for (const [index, place] of places.entries()) {
      const others = places.filter((other) => other !== place);
      expect(said[index]).toContain(place);
      expect(others.filter((other) => said[index]?.includes(other))).toEqual([]);
    }
  });

  test('keeps the other words around each place', () => {
    expect(splitPlaces('What is the weather in Oslo and Bergen today?')).toEqual([
      'What is the weather in Oslo today?',
      'What is the weather in Bergen today?',
    ]);
  });

  test.each(['What is the weather in Oslo?', 'in Oslo, and how is Ada?', 'Hello', '', 'Oslo and Bergen'])(
    'does not split %j',
    (message) => expect(splitPlaces(message)).toEqual([message]),
  );
});

describe('withOtherPlace', () => {
  test.each([
    ['What is the weather in Oslo?', 'What is the weather in Paris?'],
    ['Weather in paris', 'Weather in Oslo'],
    ['How is it at Oslo or Paris', 'How is it at Bergen'],
    ['Hello', 'Hello in Paris'],
  ])('turns %j into %j', (message, other) => {
    expect(withOtherPlace(message)).toBe(other);
  });
});
