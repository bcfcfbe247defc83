import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  content: Buffer;
}

/** A record of a ZIP archive: its signature, then fields of two or four bytes. */
function record(signature: number, fields: readonly (readonly [value: number, bytes: 2 | 4])[]) {
  const size = fields.reduce((sum, [, bytes]) => sum + bytes, 4);
  const buffer = Buffer.alloc(size);
  let at = buffer.writeUInt32LE(signature);
  for (const [value, bytes] of fields) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}

/** A ZIP archive. Its entries have no time, so the same files give the same bytes. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const packed = deflateRawSync(content);
    const path = Buffer.from(name);
    // Version, names in UTF-8, deflated, 1980-01-01.
    const common = [
      [20, 2],
      [0x800, 2],
      [8, 2],
      [0, 2],
      [33, 2],
      [crc32(content), 4],
      [packed.length, 4],
      [content.length, 4],
      [path.length, 2],
      [0, 2],
    ] as const;
    const local = record(0x04034b50, common);
    files.push(local, path, packed);
    directory.push(
      record(0x02014b50, [[20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]),
      path,
    );
    offset += local.length + path.length + packed.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = record(0x06054b50, [
    [0, 2],
    [0, 2],
    [entries.length, 2],
    [entries.length, 2],
    [size, 4],
    [offset, 4],
    [0, 2],
  ]);
  return Buffer.concat([...files, ...directory, end]);
}
