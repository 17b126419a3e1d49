#include "engine/planner/path_table.h"

namespace toposeg::engine {

Closed::PathTable::PathTable(Choice& choice, Vertex v)
    : choice_(choice),
      closed_(choice.closed),
      children_(closed_.path_children_),
      layers_(closed_.path_layers_) {
  children_.clear();
  const VertexRange range = closed_.tree_->children(v);
  for (Vertex child = range.begin; child < range.end; ++child) {
    if (!closed_.can_help(child, choice.set, choice.unit)) continue;
    const Kin kin{child, 1, closed_.units(child, kNoPiece, choice.unit), closed_.in_use(child)};
    const std::size_t begin = choice.push_items(kin);
    children_.push_back({kin, begin, closed_.items_.size()});
  }
}

bool Closed::PathTable::leads(const Child& child, const Item& item, std::size_t i, int j, std::int32_t loss,
                              PieceSet have, std::size_t& from) const {
  const int step = child.kin.used ? 0 : 1;
  if (j < step || loss < item.loss || (have & item.set) != item.set) return false;
  from = layers_[i + 1].at(j - step, loss - item.loss, have ^ item.set);
  return closed_.cells_[from].reached;
}

void Closed::PathTable::fill() {
  const int n = choice_.n;
  const std::int32_t slack = choice_.slack;
  layers_.resize(children_.size() + 1);
  Table& end = layers_.back();
  end = closed_.new_table(n + 1, slack + 1, choice_.set);
  const std::int32_t unspent = choice_.staircase() ? slack : 0;
  for (std::int32_t loss = 0; loss <= unspent; ++loss) closed_.begin_at(end.at(0, loss, kNoPiece));
  const ConstCostRow nothing = closed_.row(0).first(choice_.row_size);
  for (std::size_t i = children_.size(); i-- > 0;) {
    const Child& child = children_[i];
    layers_[i] = closed_.new_table(n + 1, slack + 1, choice_.set);
    const std::int32_t skip = choice_.skip_loss(child.kin);
    for (int j = 0; j <= n; ++j) {
      for (std::int32_t loss = 0; loss <= slack; ++loss) {
        for (PieceSet have = 0; have <= choice_.set; ++have) {
          if ((have & ~choice_.set) != 0) continue;
          const std::size_t to = layers_[i].at(j, loss, have);
          if (loss >= skip) {
            const std::size_t from = layers_[i + 1].at(j, loss - skip, have);
            if (closed_.cells_[from].reached) choice_.offer(to, choice_.cell_row(from), nothing, {});
          }
          for (std::size_t item = child.items_begin; item < child.items_end; ++item) {
            std::size_t from = 0;
            if (!leads(child, closed_.items_[item], i, j, loss, have, from)) continue;
            choice_.offer(to, choice_.cell_row(from), choice_.item_row(closed_.items_[item]), {});
          }
        }
      }
    }
  }
}

const Closed::Item* Closed::PathTable::first_best(std::size_t i, int j, std::int32_t loss,
                                                  PieceSet have) const {
  const Child& child = children_[i];
  const ConstCostRow target = choice_.cell_row(layers_[i].at(j, loss, have));
  const Item* best = nullptr;
  int best_pods = -1;
  for (std::size_t item = child.items_begin; item < child.items_end; ++item) {
    const Item& way = closed_.items_[item];
    std::size_t from = 0;
    if (!leads(child, way, i, j, loss, have, from)) continue;
    if (compare_sum(choice_.cell_row(from), choice_.item_row(closed_.items_[item]), target) != 0) continue;
    const int pods = closed_.pods_of_item(way.x, way.set, choice_.unit);
    if (pods < best_pods || (pods == best_pods && best != nullptr && way.set <= best->set)) continue;
    best = &way;
    best_pods = pods;
  }
  return best;
}

}  // namespace toposeg::engine
