// Texts as models write them, of any length.

const PROSE =
  'The forecast for the coast is a calm one: light winds from the south-west, a few clouds in the afternoon, and no rain before the evening. ' +
  'Towards the mountains it stays colder, and the roads above 800 metres may be icy until noon.\n\n' +
  '- take a warm layer with you\n- leave before ten\n- `ferry 14` does not run on Sundays\n\n';

const WORDS = PROSE.match(/\S+\s*|\s+/g);

export const prose = (length) => PROSE.repeat(Math.ceil(length / PROSE.length)).slice(0, length);

/** About one word, as models send it. */
export const word = (index) => WORDS[index % WORDS.length];

/** A call written into a text. */
export const textCall = (city) =>
  `<tool_call>\n${JSON.stringify({ name: 'get_weather', arguments: { city, days: 3 } })}\n</tool_call>\n`;

export const nativeCall = (index) => ({
  id: `call_${index}`,
  name: 'get_weather',
  arguments: { city: `City ${index}`, days: (index % 7) + 1 },
  source: 'native',
});
