import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Variables with which `systemctl COMMAND … UNIT` asks the server on a port of ours for /COMMAND/UNIT, and a folder to remove. */
export function askingSystemctl(port: number) {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-systemctl-'));
  const text = `#!/bin/sh
for unit; do :; done
exec curl -sf "http://127.0.0.1:${port}/$1/$unit"
`;
  writeFileSync(join(folder, 'systemctl'), text, { mode: 0o755 });
  const path = [folder, process.env['PATH']].join(delimiter);
  return { folder, env: { ...process.env, PATH: path } };
}
