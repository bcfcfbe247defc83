// An empty loop of animation frames.
function frame(): void {
  requestAnimationFrame(frame);
}
frame();
