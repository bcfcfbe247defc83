/** The page of the address and the QR code: it starts a visit and shows its verdict. */
export const RUNNER = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Fulcrum: benchmark</title>
<style>body{font:16px/1.5 system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}
button{font:inherit;padding:.75rem 1.5rem}</style>
</head><body><h1>Benchmark</h1>
<p>Plays the pages one after the other. Leave this page in front and the screen on.</p>
<button id="start">Start</button> <button id="share" hidden>Share</button>
<p role="status"></p>
<script>
const say = (text) => { document.querySelector('[role=status]').textContent = text; };
const share = document.getElementById('share');
document.getElementById('start').onclick = async () => {
  // What an earlier visit has stored would show its prices.
  localStorage.clear();
  for (const { name } of (await indexedDB.databases?.()) ?? []) indexedDB.deleteDatabase(name);
  const answer = await fetch('/devices/visit', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      label: (new URLSearchParams(location.search).get('label') ?? '').slice(0, 100),
      cores: navigator.hardwareConcurrency ?? null,
      memory: navigator.deviceMemory ?? null,
      width: innerWidth, height: innerHeight, ratio: devicePixelRatio,
    }),
  });
  if (answer.ok) location.replace('/devices/next');
  else say('Not started: ' + (await answer.json()).error);
};
fetch('/devices/result').then(async (answer) => {
  if (!answer.ok) return;
  const { verdict } = await answer.json();
  say(verdict + ' The result is saved on the computer.');
  share.hidden = !navigator.share;
  share.onclick = () => navigator.share({ text: verdict }).catch(() => {});
});
</script></body></html>`;
