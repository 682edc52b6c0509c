// A program as people write it, with the official client: it takes its server from the variables that the client reads, offers one
// tool, calls it for as long as the model asks for that, and asks one question after the other in one conversation. Prints what it got.
import OpenAI from 'openai';

const { AGENT_MODEL: model = '', AGENT_QUESTIONS: questions = '[]' } = process.env;

const client = new OpenAI({ maxRetries: 0 });
const cities = [];
const messages = [{ role: 'system', content: 'Be brief.' }];
const tool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Get the current weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    function: (text) => {
      cities.push(JSON.parse(text).city);
      return JSON.stringify({ temp_c: -2, sky: 'snow' });
    },
  },
};
for (const content of JSON.parse(questions)) {
  messages.push({ role: 'user', content });
  const runner = client.chat.completions.runTools({
    model,
    stream: true,
    messages: [...messages],
    tools: [tool],
  });
  await runner.done();
  messages.splice(0, messages.length, ...runner.messages);
}
process.stdout.write(JSON.stringify({ cities, text: messages.at(-1)?.content ?? '' }));
