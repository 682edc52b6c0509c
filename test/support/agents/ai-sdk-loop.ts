// A program with the AI SDK and its own loop over tools.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import type { Told } from './weather-tool';
import { PARAMETERS, QUESTION, RESULT, TOOL } from './weather-tool';

export async function runAiSdkLoop(baseURL: string, isStreamed: boolean, model = 'm'): Promise<Told> {
  const cities: string[] = [];
  const weather = tool({
    description: TOOL.description,
    inputSchema: jsonSchema<{ city: string }>(PARAMETERS),
    execute: ({ city }) => {
      cities.push(city);
      return RESULT;
    },
  });
  const asked = {
    model: createOpenAICompatible({ name: 'recorded', baseURL })(model),
    prompt: QUESTION,
    tools: { [TOOL.name]: weather },
    stopWhen: stepCountIs(4),
    maxRetries: 0,
  };
  const { text } = isStreamed ? streamText(asked) : await generateText(asked);
  return { text: await text, cities };
}
