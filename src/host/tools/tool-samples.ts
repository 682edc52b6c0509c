// The two tools that the panel offers, each with a mock to start a result from. Nothing is ever run.
import type { ToolType } from '../../types';

export interface ToolSample extends ToolType {
  description: string;
  /** JSON text. */
  mock: string;
}

export const TOOL_SAMPLES: readonly ToolSample[] = [
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
    mock: '{"temp_c": -2, "sky": "snow"}',
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
    mock: '[{"flight": "TP 762", "departs": "07:35", "eur": 214}]',
  },
];
