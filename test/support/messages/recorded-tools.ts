// The tool of the recorded exchanges.
import type { ToolType } from '../../../src/types';

export const WEATHER: ToolType = {
  name: 'get_weather',
  description: 'Weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'the city' } },
    required: ['city'],
  },
};
