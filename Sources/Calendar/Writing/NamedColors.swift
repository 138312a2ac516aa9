/// The CSS name of the most similar colour, since COLOR takes names (RFC 7986).
func namedColor(nearest color: RGB) -> String {
  namedColors.min { $0.color.distance(to: color) < $1.color.distance(to: color) }!.name
}

/// Names of CSS Color Module Level 3, section 4.3, without those that look alike.
private let namedColors: [(name: String, color: RGB)] = [
  ("black", RGB(0, 0, 0)), ("dimgray", RGB(105, 105, 105)), ("gray", RGB(128, 128, 128)),
  ("darkgray", RGB(169, 169, 169)), ("silver", RGB(192, 192, 192)), ("lightgray", RGB(211, 211, 211)),
  ("whitesmoke", RGB(245, 245, 245)), ("white", RGB(255, 255, 255)), ("maroon", RGB(128, 0, 0)),
  ("darkred", RGB(139, 0, 0)), ("brown", RGB(165, 42, 42)), ("firebrick", RGB(178, 34, 34)),
  ("crimson", RGB(220, 20, 60)), ("red", RGB(255, 0, 0)), ("indianred", RGB(205, 92, 92)),
  ("tomato", RGB(255, 99, 71)), ("salmon", RGB(250, 128, 114)), ("coral", RGB(255, 127, 80)),
  ("orangered", RGB(255, 69, 0)), ("darkorange", RGB(255, 140, 0)), ("orange", RGB(255, 165, 0)),
  ("gold", RGB(255, 215, 0)), ("yellow", RGB(255, 255, 0)), ("khaki", RGB(240, 230, 140)),
  ("darkkhaki", RGB(189, 183, 107)), ("goldenrod", RGB(218, 165, 32)), ("darkgoldenrod", RGB(184, 134, 11)),
  ("peru", RGB(205, 133, 63)), ("chocolate", RGB(210, 105, 30)), ("sienna", RGB(160, 82, 45)),
  ("saddlebrown", RGB(139, 69, 19)), ("tan", RGB(210, 180, 140)), ("wheat", RGB(245, 222, 179)),
  ("olive", RGB(128, 128, 0)), ("olivedrab", RGB(107, 142, 35)), ("yellowgreen", RGB(154, 205, 50)),
  ("lawngreen", RGB(124, 252, 0)), ("lime", RGB(0, 255, 0)), ("limegreen", RGB(50, 205, 50)),
  ("lightgreen", RGB(144, 238, 144)), ("mediumseagreen", RGB(60, 179, 113)), ("seagreen", RGB(46, 139, 87)),
  ("forestgreen", RGB(34, 139, 34)), ("green", RGB(0, 128, 0)), ("darkgreen", RGB(0, 100, 0)),
  ("darkolivegreen", RGB(85, 107, 47)), ("springgreen", RGB(0, 255, 127)), ("aquamarine", RGB(127, 255, 212)),
  ("turquoise", RGB(64, 224, 208)), ("lightseagreen", RGB(32, 178, 170)), ("teal", RGB(0, 128, 128)),
  ("darkcyan", RGB(0, 139, 139)), ("aqua", RGB(0, 255, 255)), ("paleturquoise", RGB(175, 238, 238)),
  ("cadetblue", RGB(95, 158, 160)), ("darkslategray", RGB(47, 79, 79)), ("slategray", RGB(112, 128, 144)),
  ("steelblue", RGB(70, 130, 180)), ("lightsteelblue", RGB(176, 196, 222)), ("lightblue", RGB(173, 216, 230)),
  ("skyblue", RGB(135, 206, 235)), ("deepskyblue", RGB(0, 191, 255)), ("dodgerblue", RGB(30, 144, 255)),
  ("cornflowerblue", RGB(100, 149, 237)), ("royalblue", RGB(65, 105, 225)), ("blue", RGB(0, 0, 255)),
  ("mediumblue", RGB(0, 0, 205)), ("navy", RGB(0, 0, 128)), ("midnightblue", RGB(25, 25, 112)),
  ("slateblue", RGB(106, 90, 205)), ("darkslateblue", RGB(72, 61, 139)), ("mediumpurple", RGB(147, 112, 219)),
  ("blueviolet", RGB(138, 43, 226)), ("indigo", RGB(75, 0, 130)), ("purple", RGB(128, 0, 128)),
  ("darkmagenta", RGB(139, 0, 139)), ("mediumorchid", RGB(186, 85, 211)), ("orchid", RGB(218, 112, 214)),
  ("violet", RGB(238, 130, 238)), ("plum", RGB(221, 160, 221)), ("thistle", RGB(216, 191, 216)),
  ("fuchsia", RGB(255, 0, 255)), ("mediumvioletred", RGB(199, 21, 133)), ("deeppink", RGB(255, 20, 147)),
  ("hotpink", RGB(255, 105, 180)), ("palevioletred", RGB(219, 112, 147)), ("pink", RGB(255, 192, 203)),
]
