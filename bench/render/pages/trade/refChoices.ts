// REF choices: REF form with two pairs of radios, one of which reveals a field, and a button for more lots.
import './choices.css';
import { field, form, order, show } from './refForm';

const radio = (name: string, label: string, checked = '') =>
  `<label><input type="radio" name="${name}" ${checked}>${label}</label>`;
const choices = document.createElement('div');
choices.innerHTML = `<fieldset>${radio('side', 'Buy', 'checked')}${radio('side', 'Sell')}</fieldset>
<fieldset>${radio('type', 'Market', 'checked')}${radio('type', 'Pending')}<button type="button">More</button></fieldset>
<label hidden>Price <input inputmode="decimal"></label>`;
form.prepend(choices);
const [buy, , , pending] = choices.querySelectorAll<HTMLInputElement>('[type=radio]');
const price = choices.querySelector<HTMLElement>('[hidden]');

choices.addEventListener('change', () => {
  order.sign = buy?.checked ? 1 : -1;
  if (price) price.hidden = !pending?.checked;
  show();
});
choices.querySelector('button')?.addEventListener('click', () => {
  field.value = (Number(field.value) + 0.01).toFixed(2);
  show();
});
