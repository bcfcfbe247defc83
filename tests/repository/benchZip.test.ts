import { inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';

const { filesOfRun } = await import('../../bench/render/runFiles' as string);
const { zip } = await import('../../bench/lib/zip' as string);

it('the file of a run has its samples, report, page and contenders', () => {
  const names = filesOfRun('bench/results').map(({ name }: { name: string }) => name);
  for (const name of [
    'results/render.json',
    'results/README.md',
    'results/page/index.html',
    'results/page/results.js',
    'contenders/solid/main.tsx',
  ])
    expect(names).toContain(name);
  expect(new Set(names).size).toBe(names.length);
});

it('a ZIP archive names its files, and has their content where it says', () => {
  const files = [
    { name: 'schema.json', content: Buffer.from('{}') },
    { name: 'contenders/é.ts', content: Buffer.from('x'.repeat(1000)) },
  ];
  const archive: Buffer = zip(files);
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  expect(archive.readUInt16LE(end + 10)).toBe(files.length);
  let at = archive.readUInt32LE(end + 16);
  for (const { name, content } of files) {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    const [packed, size] = [archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24)];
    const nameLength = archive.readUInt16LE(at + 28);
    const local = archive.readUInt32LE(at + 42);
    expect(archive.toString('utf8', at + 46, at + 46 + nameLength)).toBe(name);
    const begin = local + 30 + nameLength;
    const unpacked = inflateRawSync(archive.subarray(begin, begin + packed));
    expect(unpacked).toEqual(content);
    expect(size).toBe(content.length);
    at += 46 + nameLength;
  }
  expect(at).toBe(end);
});
