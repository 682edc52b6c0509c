import { describe, expect, test } from 'vitest';
import type { DiagnosisLine } from '../../../../src/connections/diagnose/diagnosis';
import { writeReport } from '../../../../src/connections/diagnose/write-report';

const LINES: DiagnosisLine[] = [
  { section: 'Connection', level: 'ok', name: 'Settings', text: '`local-host`.' },
  { section: 'Server', level: 'warning', name: 'Models', text: 'None.', tookMs: 12.4, next: 'Install one.' },
  { section: 'Way to the server', level: 'ok', name: 'Proxy', text: 'None: off.' },
  { section: 'Model', level: 'failed', name: 'Chat', text: 'No.', tookMs: 1234, next: 'Start it.' },
];
const write = (progress: Parameters<typeof writeReport>[0]['progress'], lines = LINES): string =>
  writeReport({ title: 'My `server`', facts: ['now', 'here'], lines, progress });

describe('writeReport', () => {
  test('groups the lines into sections, with results and next steps', () => {
    expect(write('done')).toBe(`# Diagnosis of \`My 'server'\`

**1 failed, 1 warning, 2 ok.** First: Start it.

## Connection

- ok — Settings: \`local-host\`.

## Way to the server

- ok — Proxy: None: off.

## Server

- **warning** — Models: None. (12 ms)
  - Next: Install one.

## Model

- **failed** — Chat: No. (1.2 s)
  - Next: Start it.

---

- now
- here
`);
  });

  test('says that it is running, was stopped, or found no problem', () => {
    expect(write({ doing: 'Asking' })).toMatch(/\*\*Under way\.\*\*[^]*_Asking …_\n\n---/);
    expect(write('stopped')).toContain('2 ok.** The run was stopped before it ended.');
    expect(write('done', LINES.slice(0, 1))).toContain(
      '**0 failed, 0 warnings, 1 ok.** No action is needed.',
    );
  });
});
