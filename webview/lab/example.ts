// Example text for an empty lab: reasoning, a damaged call, a call whose arguments do not close, and one that is
// only talked about.

export const EXAMPLE = `<think>
The user asks for the weather in two places.
</think>
Let me look that up.

<tool_call>
{"name": "get_weather", "arguments": {"city": "Oslo", "unit": "celsius",}}
</tool_call>
<tool_call>
{"name": "get_weather", "arguments": {"city": "Lisb
</tool_call>

A call looks like this: \`<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>\`
`;
