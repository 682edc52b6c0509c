// What a conversation is about. Pure.

/** What the person asked first: programs may say before it what is the same for every task, such as the folder they work in. */
export function taskOf(messages: readonly { role: string; content: string }[]): string {
  const reply = messages.findIndex(({ role }) => role === 'assistant');
  const before = reply < 0 ? messages : messages.slice(0, reply);
  return before.findLast(({ role }) => role === 'user')?.content ?? '';
}
