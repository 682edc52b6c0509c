// A program with Ollama's official client that calls its tool for as long as the model asks for that.
import type { Message, Ollama } from 'ollama';
import type { Told } from './weather-tool';
import { QUESTION, RESULT, TOOL } from './weather-tool';

const TOOLS = [{ type: 'function', function: TOOL }];

async function ask(
  client: Ollama,
  model: string,
  messages: Message[],
  { stream }: { stream: boolean },
): Promise<Message> {
  const request = { model, messages, tools: TOOLS };
  if (!stream) return (await client.chat(request)).message;
  const whole: Message = { role: 'assistant', content: '', tool_calls: [] };
  for await (const { message: part } of await client.chat({ ...request, stream })) {
    whole.content += part.content;
    whole.tool_calls?.push(...(part.tool_calls ?? []));
  }
  return whole;
}

export async function runOllamaLoop(client: Ollama, stream: boolean, model = 'm'): Promise<Told> {
  const messages: Message[] = [{ role: 'user', content: QUESTION }];
  const cities: string[] = [];
  for (;;) {
    const reply = await ask(client, model, messages, { stream });
    const calls = reply.tool_calls ?? [];
    if (calls.length === 0) return { text: reply.content, cities };
    messages.push(reply);
    for (const { function: called } of calls) {
      cities.push(String(called.arguments['city']));
      messages.push({ role: 'tool', content: RESULT, tool_name: called.name });
    }
  }
}
