// The documents that nobody has written yet: the first example, which an empty text stands for, and the empty one.
const FIRST_LOOK = {
  version: 1,
  messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
  tools: [
    {
      name: 'get_weather',
      description: 'Get the current weather of a city.',
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'Name of the city, such as Oslo' },
          unit: { type: 'string', enum: ['celsius', 'fahrenheit'], description: 'Unit of the temperature' },
        },
        required: ['city'],
      },
      mocks: [{ result: { temp_c: -2, sky: 'snow' } }],
    },
    {
      name: 'search_flights',
      description: 'Search flights between two cities on a day.',
      parameters: {
        type: 'object',
        properties: {
          from: { type: 'string', description: 'City or airport code of departure' },
          to: { type: 'string', description: 'City or airport code of arrival' },
          date: { type: 'string', description: 'Day of departure, as YYYY-MM-DD' },
          max_stops: { type: 'integer', description: 'The most stops that are acceptable' },
        },
        required: ['from', 'to'],
      },
      offered: false,
      mocks: [{ result: [{ flight: 'TP 762', departs: '07:35', eur: 214 }] }],
    },
  ],
  lanes: [{ id: 'a', connection: 'demo', model: 'first-look' }],
};

/** Ends with a line feed. */
export const NEW_PLAYGROUND_TEXT = `${JSON.stringify(FIRST_LOOK, null, 2)}\n`;

/** @returns a document without messages and tools; ends with a line feed */
export function emptyPlaygroundText(lane: { connection: string; model?: string | undefined }): string {
  return `${JSON.stringify({ version: 1, lanes: [{ id: 'a', ...lane }] }, null, 2)}\n`;
}
