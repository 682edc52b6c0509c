// What the programs of tests offer and ask.

export const PARAMETERS = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
};
export const TOOL = { name: 'get_weather', description: 'The weather', parameters: PARAMETERS };
export const QUESTION = 'What is the weather in Oslo?';
/** What the tool of a program returns. */
export const RESULT = '4 °C';

/** What a program got in the end. */
export interface Told {
  text: string;
  /** For which the tool was called. */
  cities: string[];
}
