// REF sheet: REF's list, and a sheet that is written, shown and hidden by hand.
import './ref';
import './refSheet.css';

const button = document.createElement('button');
button.textContent = 'Open';
button.className = 'open';
document.body.append(button);
const names = ['Price', 'Spread', 'Contract size', 'Smallest order', 'Step', 'Leverage', 'Fee'];

button.addEventListener('click', () => {
  const sheet = document.createElement('div');
  sheet.className = 'sheet';
  sheet.setAttribute('role', 'dialog');
  sheet.innerHTML = `<h2>AAAA/USD</h2><button>Close</button><dl>${names
    .map((name) => `<div><dt>${name}</dt><dd>1.00</dd></div>`)
    .join('')}</dl>`;
  sheet.querySelector('button')?.addEventListener('click', () => sheet.remove());
  document.body.append(sheet);
});
