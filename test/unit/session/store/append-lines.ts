// Acts as another window in a test: opens a session repeatedly, appends lines with bodies, and closes it.
import { FileRunStore } from '../../../../src/session';

const [folder = '', sessionId = '', who = '', rounds = '0', lines = '0'] = process.argv.slice(2);
const store = new FileRunStore({
  folder,
  // Low, so that the file is rewritten whenever no other process has it open.
  limits: () => ({ maxBytes: 1e9, maxRuns: 5 }),
  redact: (value) => value,
  onProblem: (problem) => console.error(problem),
});
for (let round = 0; round < Number(rounds); round++) {
  const journal = await store.open(sessionId);
  for (let n = 0; n < Number(lines); n++) {
    const key = `${who}/${round}/${n}`;
    journal.append({ who, n: round * Number(lines) + n }, { key, value: { key, text: 'ü'.repeat(n * 100) } });
    if (n % 3 === 0) await journal.flush();
  }
  await journal.close();
}
