// The full-screen terminal behind a thin adapter: the only file that drives it. Everything else gives it lines.
import {
  type Component,
  KeybindingsManager,
  ScrollView,
  setKeybindings,
  type Terminal,
  type TuiMouseEvent,
  TUI_KEYBINDINGS,
  TuiAltScreen,
  VStack,
} from '@earendil-works/pi-tui';
import type { Clock } from './clock.ts';
import { createFrames } from './frames.ts';
import type { Style } from './style.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A piece of the screen that scrolls by itself and keeps its place while another one is shown. */
export interface ScrollRegion {
  /** All of its lines. The same array as long as nothing changed. */
  lines(width: number): readonly string[];
  /** A click on a line, counted from the first. */
  clicked(line: number): void;
}

/** What is on screen, asked for with every frame. */
export interface View {
  top(width: number): readonly string[];
  /** A region that scrolls, or lines that fill exactly the room there is. */
  main(): ScrollRegion | { rowsFor(size: Size): readonly string[] };
  bottom(size: Size): readonly string[];
  /** Raw input: a key, a paste. */
  input(data: string): void;
  /** Whether keys that scroll go to `input` as well, because something that scrolls is open there. */
  takesScrollKeys(): boolean;
}

export interface Screen {
  readonly size: Size;
  start(view: View): void;
  /** Gives the terminal back as it was. Safe to call twice. */
  stop(): void;
  /** After the program was stopped and goes on: takes the terminal again and draws everything. */
  restart(): void;
  /** Something changed; drawn soon. */
  changed(): void;
  /** Everything is drawn anew, whatever the terminal shows. */
  redraw(): void;
  scrollPage(direction: -1 | 1): void;
  scrollToEnd(): void;
  /** Puts a text into the clipboard of the terminal's user, over any distance. */
  copy(text: string): void;
  /** A word in passing. */
  flash(text: string): void;
  /** For what must know the renderer: the editor. */
  readonly renderer: TuiAltScreen;
}

export function createScreen(terminal: Terminal, style: Style, clock: Clock): Screen {
  setKeybindings(
    new KeybindingsManager(TUI_KEYBINDINGS, {
      'tui.altScreen.search': ['ctrl+f', 'ctrl+shift+f'],
      'tui.editor.cursorRight': 'right',
    }),
  );
  const renderer = new TuiAltScreen(terminal, true, undefined, {
    wheelScrollLines: 'auto',
    scrollToEndIndicator: () => style.inverse(' ↓ new below · Ctrl+End '),
    searchMatchStyle: style.underline,
    searchCurrentMatchStyle: style.inverse,
  });
  const size: Size = {
    get columns() {
      return Math.max(1, terminal.columns);
    },
    get rows() {
      return Math.max(1, terminal.rows);
    },
  };
  let view: View = emptyView;
  let running = false;
  const frames = createFrames(() => {
    if (!running) return;
    mount();
    renderer.requestRender();
  }, clock);

  const top: Component = { render: (width) => view.top(width), invalidate() {} };
  const bottom: Component = {
    render: (width) => view.bottom({ columns: width, rows: size.rows }),
    handleInput(data) {
      view.input(data);
      mount();
      frames.drawn();
    },
    get capturesViewportInput() {
      return view.takesScrollKeys();
    },
    invalidate() {},
  };
  const filling: Component = {
    render(width) {
      const main = view.main();
      const rows = size.rows - top.render(width).length - bottom.render(width).length;
      return 'rowsFor' in main ? main.rowsFor({ columns: width, rows: Math.max(1, rows) }) : [];
    },
    invalidate() {},
  };
  const filled = new VStack([top, { component: filling, basis: 0, grow: 1 }, bottom]);
  const roots = new WeakMap<ScrollRegion, { readonly root: VStack; readonly scroll: ScrollView }>();
  let scroll: ScrollView | undefined;

  /** Each region has a scroll position of its own, which stays while others are shown. */
  function rootOf(region: ScrollRegion): { readonly root: VStack; readonly scroll: ScrollView } {
    const known = roots.get(region);
    if (known !== undefined) return known;
    const content: Component = {
      // The last column is the scroll bar's while somebody scrolls: nothing that is read may lie under it.
      render: (width) => region.lines(Math.max(1, width - 1)),
      handleMouse: (event) => clickOn(region, event),
      invalidate() {},
    };
    const scrolling = new ScrollView(content, {
      follow: 'end',
      primary: true,
      scrollbar: 'auto',
      scrollbarThumbStyle: (text) => text,
      scrollbarTrackStyle: style.dim,
    });
    const made = {
      scroll: scrolling,
      root: new VStack([top, { component: scrolling, basis: 0, grow: 1, minSize: 1 }, bottom]),
    };
    roots.set(region, made);
    return made;
  }

  function mount(): void {
    const main = view.main();
    if ('rowsFor' in main) {
      scroll = undefined;
      renderer.setLayoutRoot(filled);
      return;
    }
    const { root, scroll: scrolling } = rootOf(main);
    scroll = scrolling;
    renderer.setLayoutRoot(root);
  }

  function run(): void {
    running = true;
    mount();
    renderer.setFocus(bottom);
    renderer.start();
  }

  return {
    size,
    renderer,
    start(shown) {
      view = shown;
      run();
    },
    stop() {
      if (!running) return;
      running = false;
      frames.stop();
      renderer.stop({ preserveScreen: true });
    },
    restart() {
      if (running) return;
      run();
      // A frame that was asked for before it stopped would keep every later one from being asked for.
      renderer.renderNow(true);
    },
    changed: frames.changed,
    redraw() {
      mount();
      renderer.renderNow(true);
      frames.drawn();
    },
    scrollPage(direction) {
      renderer.scrollBy(direction * Math.max(1, (scroll?.viewportHeight ?? 2) - 2));
    },
    scrollToEnd() {
      scroll?.scrollToEnd();
    },
    copy(text) {
      terminal.write(`\u001b]52;c;${Buffer.from(text, 'utf8').toString('base64')}\u0007`);
    },
    flash: (text) => renderer.flash(text, 1_500),
  };
}

function clickOn(region: ScrollRegion, event: TuiMouseEvent) {
  // Presses and drags stay the renderer's: they select text.
  if (event.type !== 'click' || event.button !== 'left') return undefined;
  region.clicked(event.y);
  return { handled: true };
}

const emptyView: View = {
  top: () => [],
  main: () => ({ rowsFor: () => [] }),
  bottom: () => [],
  input: () => {},
  takesScrollKeys: () => false,
};
