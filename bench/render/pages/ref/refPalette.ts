// REF palette: REF's list on a desktop, and a dialog of actions that a key filters by hand, with the first instruments that it names.
import './ref';
import './refPalette.css';
import { loadInstruments } from '../lib/market';

const [ACTIONS, INSTRUMENTS] = [40, 8];
const names = (await loadInstruments()).map(({ name }) => name);

addEventListener('keydown', (event) => {
  if (event.key !== 'k' || !event.ctrlKey) return;
  event.preventDefault();
  const palette = document.createElement('div');
  palette.className = 'palette';
  palette.setAttribute('role', 'dialog');
  const instruments = Array.from({ length: INSTRUMENTS }, () => '<li hidden></li>');
  const actions = Array.from(
    { length: ACTIONS },
    (_, at) => `<li>Action ${at}<kbd>${at}</kbd></li>`,
  );
  palette.innerHTML = `<input type="search"><ul>${[...instruments, ...actions].join('')}</ul>`;
  document.body.append(palette);
  const field = palette.querySelector('input') as HTMLInputElement;
  const rows = [...palette.querySelectorAll('li')];
  field.addEventListener('input', () => {
    const text = field.value.toLowerCase();
    const found = names.filter((name) => name.toLowerCase().includes(text));
    for (const [at, row] of rows.entries()) {
      if (at < INSTRUMENTS) row.textContent = found[at] ?? '';
      row.hidden = !row.textContent?.toLowerCase().includes(text) || row.textContent === '';
    }
  });
  field.focus();
});
