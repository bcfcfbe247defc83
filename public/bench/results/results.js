// Sorting, filters and sources of the page of results.
const sortValue = (row, column) => {
  const cell = row.cells[column];
  if (column === 0) return cell.querySelector('b').textContent;
  return cell.dataset.value === '' ? Number.POSITIVE_INFINITY : Number(cell.dataset.value);
};

for (const table of document.querySelectorAll('table')) {
  const heads = [...table.tHead.rows[0].cells];
  for (const [column, head] of heads.entries()) {
    head.querySelector('button')?.addEventListener('click', () => {
      const falls = head.ariaSort === 'ascending';
      for (const each of heads) if (each.ariaSort) each.ariaSort = 'none';
      head.ariaSort = falls ? 'descending' : 'ascending';
      const rows = [...table.tBodies[0].rows].sort((a, b) => {
        const [one, other] = [sortValue(a, column), sortValue(b, column)];
        const order = one < other ? -1 : one > other ? 1 : 0;
        return falls ? -order : order;
      });
      table.tBodies[0].append(...rows);
    });
  }
}

const form = document.querySelector('form');
form.addEventListener('change', () => {
  for (const row of document.querySelectorAll('tbody tr')) {
    const { peer, verdict, engine } = row.dataset;
    const chosen = form.engine?.value;
    const open = verdict === 'undecided' || verdict === 'failed';
    row.hidden =
      (form.peers.checked && peer === '0') ||
      (form.decided.checked && open) ||
      Boolean(chosen && engine && engine !== chosen);
  }
});
