export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A head by which a table is sorted. */
export const head = (text: string, sort: 'ascending' | 'none' = 'none'): string =>
  `<th role="columnheader" scope="col" aria-sort="${sort}"><button type="button">${text}</button></th>`;

/** A cell with the value by which its column is sorted. */
export const cell = (name: string, value: number, text: string, className = ''): string =>
  `<td role="cell"${className && ` class="${className}"`} data-head="${name}" data-value="${Number.isFinite(value) ? value : ''}">${text}</td>`;

/** A table with these heads, which is a list of cards on a phone. */
export const htmlTable = (heads: string, rows: readonly string[]): string =>
  `<table role="table"><thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">${rows.join('\n')}</tbody></table>`;
